# spec.name = "commented"
puts "spec.add_dependency 'x'"
