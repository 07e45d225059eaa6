import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { chromium } from '@playwright/test'

import { CHROMIUM_ARGS } from '../ways-in/chromium-args.ts'

const PORT_ATTEMPTS = 200
const PORT_PAUSE_MS = 25

let starting

/**
 * Starts Chromium with a blank page at the first call: `context`, its devtools `port`. Its pages' requests and IPC go to `serve(route)` and
 * `receive(source, text)` of the first caller, IPC under `bindingName`.
 */
export function startChromium({ serve, receive, bindingName }) {
  starting ??= (async () => {
    const folder = process.env.ED_CHROMIUM_DIR
    if (!folder)
      throw new Error("electron double: set ED_CHROMIUM_DIR to a folder for Chromium's own files")
    const context = await chromium.launchPersistentContext(folder, {
      executablePath: process.env.ED_CHROMIUM ?? '/usr/bin/chromium',
      headless: process.env.ED_HEADED !== '1',
      viewport: null,
      args: [...CHROMIUM_ARGS, '--remote-debugging-port=0'],
      // The app handles signals.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    })
    const port = await devtoolsPort(folder)
    await context.exposeBinding(bindingName, receive)
    await context.route(/^https?:/, serve)
    return { context, port, folder, blank: context.pages()[0] }
  })()
  return starting
}

async function devtoolsPort(folder) {
  for (let attempt = 0; attempt < PORT_ATTEMPTS; attempt++) {
    const text = await readFile(join(folder, 'DevToolsActivePort'), 'utf8').catch(() => '')
    if (text.includes('\n')) return Number(text.split('\n')[0])
    await delay(PORT_PAUSE_MS)
  }
  throw new Error('electron double: Chromium did not say on which port it listens')
}

/** Stops Chromium and removes its folder; resolves immediately if none was started. */
export async function closeChromium() {
  const started = await starting?.catch(() => undefined)
  if (!started) return
  await started.context.close().catch(() => undefined)
  await rm(started.folder, { recursive: true, force: true, maxRetries: 5 })
}
