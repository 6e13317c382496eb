class User
  def valid?
    true
  end
end
