gem "no"
