select hash, files from catalogues
