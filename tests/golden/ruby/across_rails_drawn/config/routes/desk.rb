namespace :desk do
  resources :chairs, only: %i[index show]
end
