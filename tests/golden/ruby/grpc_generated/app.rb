require_relative 'greet_services_pb'

class Hello < Greet::Greeter::Service
  def say_hello(name, _call)
    Greet::Text.new
  end
end

def main
  stub = Greet::Greeter::Stub.new('localhost:50051', :this_channel_is_insecure)
  stub.say_hello(Greet::Name.new)
end
