# Reads what Hanami::Routes prints.
class Report
  def lines(shell, store)
    store.get '/nothing'
    shell.scope 'nothing' do
      store.delete('/nothing')
    end
  end
end
