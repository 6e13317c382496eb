import { Args, Int, Mutation, Query, ResolveField, Resolver, Subscription } from '@nestjs/graphql';

@Resolver(() => User)
export class UsersResolver {
  @Query(() => [User])
  users() {
    return this.service.all();
  }

  @Query(() => User, { name: 'user', nullable: true })
  @UseGuards(AuthGuard)
  async findOne(@Args('id', { type: () => Int }) id: number) {
    return this.service.one(id);
  }

  @Query('userCount')
  count() {
    return 1;
  }

  @Mutation(() => User)
  createUser(@Args('input') input: CreateUser) {
    return this.service.create(input);
  }

  @Subscription(() => User)
  userAdded() {
    return this.bus.asyncIterator('added');
  }

  @ResolveField()
  orders() {
    return [];
  }
}
