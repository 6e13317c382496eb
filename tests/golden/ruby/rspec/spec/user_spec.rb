require "user"

RSpec.describe User do
  it "has a name" do
    user = User.new
    expect(user.name).to be_nil
  end
end
