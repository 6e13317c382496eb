// A builder of forms, and types of a table: no schema is made of them.
const builder = new FormBuilder();
builder.field("users", (t) => t.text());
builder.query("users", (t) => t.text());

const Query = new ObjectType({ name: "Query", fields: { users: { type: "text" } } });
const mutation = new Table({ name: "Mutation", fields: { addUser: { type: "row" } } });
