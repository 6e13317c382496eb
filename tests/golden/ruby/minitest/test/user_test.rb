require "user"

class UserTest < Minitest::Test
  def setup
    @user = User.new
  end

  def test_valid
    assert @user.valid?
    check
  end

  def check
    User.new.valid?
  end
end
