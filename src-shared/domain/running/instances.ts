import * as z from 'zod'

import { RunStatus } from './run-status'

/** A process of a server that not all apps share, or a session of a remote one. */
export const InstanceView = z.object({
  /** Unique for its server while the app runs. */
  instanceId: z.number().int(),
  /** The app that uses it, as the user calls it. */
  agent: z.string(),
  /** Whether one session of the app uses it. */
  isOfSession: z.boolean(),
  pid: z.number().optional(),
  status: z.enum(RunStatus.options.map((one) => one.shape.kind.value)),
  /** Epoch ms. */
  startedAt: z.number(),
})
export type InstanceView = z.infer<typeof InstanceView>
