import { openServedPage } from '../forms/served-page'
import type { BenchPart } from '../measure/bench'
import { formOpenings } from './opening'
import { resultRendering } from './rendering'
import { messageScrolling } from './scrolling'
import { fillTried } from './tried-desk'

/** What a user feels who tries tools and looks at the traffic, in Chromium. */
export const trySpeed: BenchPart = async (plan) => {
  const filled: { installationId?: string } = {}
  const { browser, page, close } = await openServedPage(async (profileDir) => {
    filled.installationId = await fillTried(profileDir)
  })
  try {
    const { installationId } = filled
    if (installationId === undefined) throw new Error('There is nothing to try.')
    return [
      await formOpenings(page, installationId, plan),
      await messageScrolling(browser, page, installationId, plan),
      await resultRendering(browser, page, installationId, plan),
    ]
  } finally {
    await close()
  }
}
