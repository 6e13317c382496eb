package shop

import "os"

const prefix = "orders."

const Created = prefix + "created"

var Votes = os.Getenv("VOTES_LIST")
