import { AppError } from '../../../../src-shared/domain/app-error'

/** More no model needs to read. */
const LONGEST = 3_000

/**
 * Arguments that a model garbled (C11): nothing was sent to a server. The message tells the model what to mend; it goes
 * back as a result with `isError` from 2025-11-25 on, before as error -32602.
 */
export class GarbledArgumentsError extends AppError {
  constructor(
    tool: string,
    /** Sentences, each with a place, what was expected and what came. */
    readonly faults: readonly string[],
  ) {
    const told = faults.join(' ')
    const cut = told.length > LONGEST ? `${told.slice(0, LONGEST)}…` : told
    super('INVALID_VALUES', `Nothing was sent: the arguments of ${tool} do not fit. ${cut}`, {
      hint: 'Mend them and call again.',
    })
  }
}
