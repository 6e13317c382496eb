require "faraday"
BASE = "http://shop/api"
def f1(id)
  Faraday.get(BASE.dup << "/a13")
end
def f2(id)
  Faraday.get(BASE.delete_suffix("/") + "/a16")
end
def f3(id)
  Faraday.get(format("%<base>s/a18", base: BASE))
end
def f4(id)
  Faraday.get("%{base}/a19" % { base: BASE })
end
def f5(id)
  Faraday.get(BASE.concat("/a20"))
end
def f6(id)
  Faraday.get([BASE, "a21", id].compact.join("/"))
end
