import { readinessOf } from '../stdio/readiness'
import { TWENTY } from './twenty-servers'

/** How long until 20 of 20 healthy servers are Ready when the app opens, against 20 clients of the SDK that connect and list at once. */
export const allReady = readinessOf('ready-20-of-20-vs-parallel-connects', TWENTY)
