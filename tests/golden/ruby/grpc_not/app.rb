class S3 < ActiveStorage::Service
  def upload(key, io)
  end
end

class Users < Base::Service
  def call(id)
    stub = WebMock::Stub.new('http://users')
    stub.to_return(status: 200)
    request.get_cart(id)
  end
end
