import { describe, expect, it } from 'vitest'

import { isWithoutProxy } from './environment-proxies'

describe('E8: hosts without a proxy', () => {
  it.each([
    ['https://a.example.com/', 'example.com'],
    ['https://example.com/', 'other.test, EXAMPLE.com'],
    ['https://a.example.com/', '.example.com'],
    ['https://a.example.com/', '*.example.com'],
    ['https://a.example.com:8443/', 'a.example.com:8443'],
    ['https://a.example.com/', 'a.example.com:443'],
    ['http://a.example.com/', 'a.example.com:80'],
    ['https://10.1.2.3/', '10.0.0.0/8'],
    ['https://10.1.2.3/', '10.1.2.3'],
    ['https://10.1.2.3:8443/', '10.1.2.3:8443'],
    ['https://[fd00::1]/', 'fd00::/8'],
    ['https://[fd00::1]/', '[fd00::1]'],
    ['https://[fd00::1]/', 'fd00::1'],
    ['https://[fd00::1]:8443/', '[fd00::1]:8443'],
    ['https://any.example/', '*'],
  ])('include %s if the list is "%s"', (address, list) => {
    expect(isWithoutProxy(new URL(address), list)).toBe(true)
  })

  it.each([
    ['https://example.com/', ''],
    ['https://notexample.com/', 'example.com'],
    ['https://example.com/', '.example.com'],
    ['https://example.com.evil.test/', 'example.com'],
    ['https://a.example.com/', 'a.example.com:8443'],
    ['https://11.1.2.3/', '10.0.0.0/8'],
    ['https://10.1.2.3/', '10.0.0.0/99'],
    ['https://10.1.2.3/', '10.0.0.0/x'],
    ['https://[fd00::1]/', '10.0.0.0/8'],
    ['https://[fd00::1]/', '[fd00::1]:8443'],
    ['https://a.10.1.2.3.example/', '10.1.2.3'],
  ])('exclude %s if the list is "%s"', (address, list) => {
    expect(isWithoutProxy(new URL(address), list)).toBe(false)
  })
})
