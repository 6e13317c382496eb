class Apples < Collection
  def name
    'apples'
  end
end
