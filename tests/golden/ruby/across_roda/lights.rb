class Lights
  def on(name) = name
end
