class User
  def name; end
end
