module Shop
  class Api < Grape::API
    get "stock/:sku" do
      Stock.find(params[:sku])
    end
  end
end
