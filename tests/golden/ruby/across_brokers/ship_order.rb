require "sidekiq"

class ShipOrder
  include Sidekiq::Job

  def perform(id)
    id
  end
end
