import { loadUsers } from '@shop/data';
import { drawTable } from '@shop/ui/table';
import { oldTable } from '@shop/table';
import { apiUrl } from 'settings';
import { start } from '#/start';
import { render } from '@shop/ui/missing';
import express from 'express';

export function main() {
  loadUsers(apiUrl());
  drawTable();
  oldTable();
  start();
  render();
  express();
}
