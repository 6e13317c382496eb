module Names
  PREFIX = "orders."
  CREATED = PREFIX + "created"
  VOTES = "votes"
end
