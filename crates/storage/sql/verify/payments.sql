select reference, {sealed}, paid_for from payments
