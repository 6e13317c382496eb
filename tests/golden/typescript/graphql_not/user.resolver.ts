import { Field, ObjectType, Resolver, ResolveField } from '@nestjs/graphql';

@ObjectType()
export class User {
  @Field()
  name: string;
}

@Resolver(() => User)
export class UserFields {
  @ResolveField()
  orders() {
    return [];
  }
}
