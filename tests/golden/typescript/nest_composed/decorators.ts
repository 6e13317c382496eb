import { applyDecorators, Get, Post, UseGuards } from '@nestjs/common';

export const Read = (path: string) => applyDecorators(UseGuards(Signed), Get(path));

export function Write(path: string) {
  return applyDecorators(UseGuards(Signed, Admin), Post(path));
}
