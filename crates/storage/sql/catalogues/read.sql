select files from catalogues where hash = $1
