module site-files

go 1.24
