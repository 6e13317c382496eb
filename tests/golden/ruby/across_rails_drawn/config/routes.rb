STATES = %w[open closed].freeze
LINKS = [
  [:get, '/totals', 'totals#index'],
  [:put, '/totals/:id', 'totals#update']
].freeze

Rails.application.routes.draw do
  scope '/v1' do
    draw(:desk)
  end

  STATES.each do |state|
    get "/tickets/#{state}", to: 'tickets#index'
  end

  LINKS.each do |verb, path, action|
    send(verb, path, to: action)
  end
end
