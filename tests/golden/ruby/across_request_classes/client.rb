require 'net/http'

class Client
  VERBS = { change: Net::HTTP::Patch, drop: Net::HTTP::Delete }.freeze
  PATH = '/tags'.freeze

  def rename(id, name)
    call(:change, "#{self.class::PATH}/#{id}", name)
  end

  def drop(id)
    call(:drop, "#{self.class::PATH}/#{id}")
  end

  def add(name)
    submit(Net::HTTP::Post, name)
  end

  private

  def call(what, path, body = nil)
    uri = URI("http://tags#{path}")
    Net::HTTP.start(uri.host, uri.port) { |http| http.request(VERBS[what].new(uri)) }
  end

  def submit(request_class, name)
    uri = URI(@base)
    uri.path = '/v3/tags'
    request = request_class.new(uri)
    entry = Entry.new(name)
    maker = @maker
    maker.new('/nothing')
    Net::HTTP.start(uri.host) { |http| http.request(request) }
  end
end
