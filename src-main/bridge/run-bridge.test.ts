import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { tempFolder } from '../../e2e/fixtures/temp-folder'
import { missingBus } from './run-bridge'

describe('D6 the bridge of an app that passes no variables on', () => {
  it('looks for the session bus where systemd keeps it, if nothing else says where it is', () => {
    const folder = tempFolder('bus')
    const platform = 'linux'
    expect(missingBus(platform, {}, folder)).toEqual({})
    writeFileSync(join(folder, 'bus'), '')
    const led = { XDG_RUNTIME_DIR: folder }
    expect(missingBus(platform, {}, folder)).toEqual(led)
    expect(missingBus(platform, { XDG_RUNTIME_DIR: '' }, folder)).toEqual(led)
    expect(missingBus(platform, { XDG_RUNTIME_DIR: '/x' }, folder)).toEqual({})
    expect(missingBus(platform, { DBUS_SESSION_BUS_ADDRESS: 'x' }, folder)).toEqual({})
    expect(missingBus('darwin', {}, folder)).toEqual({})
  })
})
