require 'sinatra/base'
require_relative 'routing'

class Parts < Sinatra::Base
  extend Routing

  TABLE = [
    [:get, '/parts', :all],
    [:put, '/parts/:id', :change]
  ].freeze

  TABLE.each do |verb, path, action|
    send(verb, path) { Service.new.public_send(action) }
  end

  %w[bolts nuts].each do |kind|
    get "/#{kind}/:id" do
      Service.new.one(kind, params[:id])
    end
  end

  versioned(:delete, '/parts/:id') { remove }

  # messages of another object, and a method that is not known
  def notify(name, verb, path)
    queue.send(:post, '/nothing')
    queue.send(verb, path) { name }
  end
end
