import { Query, Resolver } from 'type-graphql';

@Resolver()
export class BooksResolver {
  @Query(() => [Book])
  async books() {
    return [];
  }
}
