import { describe, expect, it } from 'vitest'

import { isBotCheckPage, pageTitle, speaksOfToken, waitMsIn } from './http-refusal'

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5)

describe('F9: the wait a busy server requests', () => {
  it.each<[Record<string, string>, number | undefined]>([
    [{}, undefined],
    [{ 'retry-after': '40' }, 40_000],
    [{ 'retry-after': 'Fri, 02 Jan 2026 03:04:15 GMT' }, 10_000],
    [{ 'retry-after-ms': '1500' }, 1_500],
    [{ 'ratelimit-reset': '7' }, 7_000],
    [{ 'x-ratelimit-reset': String(NOW / 1_000 + 9) }, 9_000],
    [{ ratelimit: '"default";r=0;t=12' }, 12_000],
    [{ 'retry-after': '1', 'ratelimit-reset': '30' }, 30_000],
    [{ 'retry-after': 'soon', 'ratelimit-reset': '-1' }, undefined],
  ])('is the longest in %j', (headers, ms) => {
    expect(waitMsIn(new Headers(headers), NOW)).toBe(ms)
  })
})

describe('F8: a web page instead of a response', () => {
  it.each([
    ['<!DOCTYPE html><html><title>Just a\n moment...</title>', 'Just a moment...'],
    ['<html><body>no', ''],
    ['{"title":"<title>"}', undefined],
    ['<xml/>', undefined],
  ])('is recognized by its head and named by its title: %j', (text, title) => {
    expect(pageTitle(text)).toBe(title)
  })

  it('is a bot check with a typical title', () => {
    expect(isBotCheckPage('<html><title>Just a moment...</title>')).toBe(true)
    expect(isBotCheckPage('<html><title>Attention Required! | Cloudflare</title>')).toBe(true)
    expect(isBotCheckPage('<html><title>Forbidden</title>')).toBe(false)
    expect(isBotCheckPage('Just a moment...')).toBe(false)
  })
})

describe('F4: a rejection about the token', () => {
  it.each([
    '{"error":"invalid_token"}',
    '{"error":"server_error","error_description":"The access token expired"}',
    '{"error":{"code":-32001,"message":"Access token expired"}}',
    '{"message":"Authorization is no longer valid"}',
    '{"detail":"Invalid authentication credentials"}',
    'Token has been revoked.',
    'Invalid bearer token',
    '{"error":"JWT expired"}',
  ])('is recognized in: %s', (text) => {
    expect(speaksOfToken(text)).toBe(true)
  })

  it.each([
    '{"error":"insufficient_scope","error_description":"The token has an invalid scope"}',
    '{"error":"invalid_request","error_description":"Invalid page token"}',
    'Invalid continuation token',
    'max tokens is invalid',
    'Invalid progress token',
    '{"error":{"message":"You have no permission; the authorization is invalid for this"}}',
    'Session expired',
    'Invalid arguments',
    '<html><title>Token expired</title>',
    '',
  ])('is not seen in: %s', (text) => {
    expect(speaksOfToken(text)).toBe(false)
  })
})
