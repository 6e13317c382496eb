require 'rest-client'
require 'typhoeus'

class Gate
  BASE = 'http://gate/v1'.freeze

  def open(id)
    run(path: "/doors/#{id}")
  end

  def lock(id)
    run(path: "/doors/#{id}/lock", method: :put)
  end

  def ring(name)
    execute(method: :post, path: '/bells', payload: name)
  end

  def forget(id)
    call(:delete, "/doors/#{id}")
  end

  private

  def run(opts)
    Typhoeus::Request.new(BASE + opts[:path], method: opts[:method] || :get).run
  end

  def execute(opts)
    RestClient::Request.execute(opts.merge(url: "#{BASE}#{opts[:path]}", timeout: 3))
  end

  def call(verb, path)
    link.public_send(verb, path)
  end

  def link
    @link ||= Faraday.new(BASE)
  end
end
