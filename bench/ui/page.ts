import type { BenchPart } from '../measure/bench'
import { openFullApp, openWindow, untilAllReady } from './full-app'
import { opening } from './opening'
import { switching } from './switching'
import { type Amount, firstToolOf, FULL } from './ui-harness'

/** Calls in the activity before measuring. */
const CALLS = 200

/** A user's experience with this many servers and tools, in Chromium. */
function pageSpeedOf(amount: Amount): BenchPart {
  return async (plan) => {
    const app = await openFullApp(amount)
    try {
      const page = await openWindow(app)
      await untilAllReady(page, amount)
      const agent = await app.connect()
      for (let call = 0; call < CALLS; call += 1)
        await agent.call(firstToolOf(call % amount.servers), {})
      agent.close()
      const opened = await opening(app, plan)
      const switched = await switching(page, plan)
      return [...opened, switched]
    } finally {
      await app.close()
    }
  }
}

/** With 100 servers and 2,000 tools. */
export const pageSpeed = pageSpeedOf(FULL)
