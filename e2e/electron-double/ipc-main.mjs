import { EventEmitter } from 'node:events'

class IpcMain extends EventEmitter {
  handlers = new Map()

  handle(channel, handler) {
    if (this.handlers.has(channel)) {
      throw new Error(`Attempted to register a second handler for '${channel}'`)
    }
    this.handlers.set(channel, handler)
  }

  removeHandler(channel) {
    this.handlers.delete(channel)
  }
}

export const ipcMain = new IpcMain()

/** Answers one `invoke` of a page; resolves to data for the page's codec. */
export async function answerInvoke(event, channel, args) {
  const failed = (error) => ({ error: `Error invoking remote method '${channel}': ${error}` })
  const handler = ipcMain.handlers.get(channel)
  if (!handler) return failed(`Error: No handler registered for '${channel}'`)
  try {
    return { value: structuredClone(await handler(event, ...args)) }
  } catch (error) {
    const uncloneable = error?.name === 'DataCloneError'
    return failed(uncloneable ? 'Error: An object could not be cloned.' : String(error))
  }
}
