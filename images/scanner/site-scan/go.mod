module fleetpress/site-scan

go 1.19
