import { describe, expect, it } from 'vitest'

import { desktopObstacle } from './desktop-probe.mjs'

const FINE = { platform: 'linux', hasDisplay: true, isRoot: false, sandbox: 'namespaces' }

describe('D1: obstacles to opening an Electron window', () => {
  it.each([
    [{}, undefined],
    [{ sandbox: 'helper' }, undefined],
    [{ sandbox: undefined }, undefined],
    [{ hasDisplay: false }, 'this session has no display'],
    [{ isRoot: true }, 'Electron does not run as root'],
    [
      { missingLibraries: ['libnss3.so', 'libgbm.so.1'] },
      'Electron lacks libraries of this system (libnss3.so, libgbm.so.1)',
    ],
    [
      { sandbox: 'none' },
      'this system allows Electron no sandbox (user namespaces are restricted)',
    ],
    [{ sandbox: 'none', isUnsandboxed: true }, undefined],
    [{ isRoot: true, isUnsandboxed: true }, undefined],
    [{ hasDisplay: false, isRoot: true, isUnsandboxed: true }, 'this session has no display'],
    [{ platform: 'darwin', hasDisplay: false, isRoot: true, sandbox: 'none' }, undefined],
    [{ platform: 'win32', hasDisplay: false }, undefined],
  ])('%j gives %j', (facts, obstacle) => {
    expect(desktopObstacle({ ...FINE, ...facts })).toBe(obstacle)
  })
})
