import { describe, expect, it, test } from 'vitest'

import { Settings, SettingsChange } from './settings'

test('a change holds the named settings only, so that the others stay as they are', () => {
  expect(SettingsChange.parse({ theme: 'dark' })).toEqual({ theme: 'dark' })
  expect(SettingsChange.parse({})).toEqual({})
})

test('a change can name every setting there is, but not lead the token of a registry or the password of a proxy elsewhere', () => {
  const { registries, proxyPasswordId, ...others } = Settings.shape
  expect(Object.keys(SettingsChange.shape)).toEqual(Object.keys(others))
  const kept = { registries: registries.parse([]), proxyPasswordId: proxyPasswordId.parse('') }
  expect(SettingsChange.parse(kept)).toEqual({})
})

test('a change is checked by the rules of the settings', () => {
  expect(SettingsChange.safeParse({ registryUrl: 'file:///etc' }).success).toBe(false)
  expect(SettingsChange.safeParse({ installSlots: 17 }).success).toBe(false)
})

describe('A2 the settings file', () => {
  it('keeps the name of each setting: another name would lose what the user chose', () => {
    expect(Object.keys(Settings.shape).join('\n')).toMatchInlineSnapshot(`
      "theme
      density
      setup
      singleKeys
      keepRunning
      startAtLogin
      notifyApprovals
      notifyRequests
      notifyFailures
      checksForUpdates
      registryUrl
      registryEnabled
      registries
      registryPages
      catalogUpkeep
      catalogIcons
      versionsKept
      installSlots
      spawnSlots
      installMs
      handshakeMs
      discoverMs
      requestMs
      callMs
      maxMessageMb
      logFileMb
      logDays
      startsAgain
      startTries
      firstWaitMs
      longestWaitMs
      breakerLosses
      breakerWindowMs
      breakerRestMs
      healthChecks
      healthMs
      toolCap
      clientMetadataUrl
      proxyMode
      proxyUrl
      proxyUser
      proxyPasswordId
      proxyPasswordForServers
      withoutProxy
      certificateFiles
      gatewayPort
      gatewayHosts
      agentCalls
      agentRate
      activityDays
      questionMs
      otlpEndpoint
      runnerPaths"
    `)
  })
})
