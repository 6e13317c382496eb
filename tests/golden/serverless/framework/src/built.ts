export const main = middy(remove).use(cors());

async function remove() {}
