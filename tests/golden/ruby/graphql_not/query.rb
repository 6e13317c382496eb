# A form and a builder of SQL: no schema is made with them.
class QueryForm < Form
  field :text
  field :page

  def text
    query("users { id }")
  end
end

class Search
  field :name
  mutation :rename
end
