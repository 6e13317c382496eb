import { make, part, remake, type Shape } from '@acme/lib'
import * as lib from '@acme/lib'

export const all: Shape = make(part, remake(lib.part), lib.unmake())
