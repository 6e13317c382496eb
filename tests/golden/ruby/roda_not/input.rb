# A switch whose methods have the names of Roda's.
class Roda
  def press(r, board)
    board.get('nothing') { 1 }
    r.run 'nothing'
    r.post('nothing')
    board.root { 2 }
  end
end
