import { describe, expect, it } from 'vitest'

import { readStrace } from './strace-log'

const TRACE = String.raw`100 execve("/usr/bin/npx", ["npx", "-y", "weather"], 0x7ffd /* 20 vars */) = 0
100 connect(18, {sa_family=AF_INET, sin_port=htons(443), sin_addr=inet_addr("104.16.0.1")}, 16) = -1 EINPROGRESS
100 openat(AT_FDCWD</home/ada>, "/home/ada/.npmrc.new", O_WRONLY|O_CREAT|O_CLOEXEC, 0666) = 20</home/ada/.npmrc.new>
100 clone(child_stack=NULL, flags=CLONE_CHILD_SETTID|SIGCHLD <unfinished ...>
100 <... clone resumed>, child_tidptr=0x7f) = 101
101 execve("/bin/sh", ["sh", "-c", "weather"], 0x55 /* 20 vars */) = 0
101 execve("/usr/bin/node", ["node", "/cache/weather/index.js"], 0x55 /* 20 vars */) = 0
101 clone3({flags=CLONE_VM|CLONE_THREAD, exit_signal=0}, 88) = 102
102 connect(21, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("127.0.0.53")}, 16) = 0
102 connect(21, {sa_family=AF_INET, sin_port=htons(443), sin_addr=inet_addr("203.0.113.7")}, 16) = -1 EINPROGRESS
102 connect(22, {sa_family=AF_INET6, sin6_port=htons(443), inet_pton(AF_INET6, "2001:db8::1", &sin6_addr)}, 28) = 0
102 connect(23, {sa_family=AF_UNIX, sun_path="/run/nscd/socket"}, 110) = -1 ENOENT
102 connect(23<socket:[4711]>, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("192.0.2.53")}, 16) = 0
101 openat(AT_FDCWD</home/ada/data>, "state.json", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 24</home/ada/data/state.json>
101 openat(5</home/ada/data>, "log", O_WRONLY|O_CREAT|O_APPEND, 0666 <unfinished ...>
102 connect(24, {sa_family=AF_INET, sin_port=htons(443), sin_addr=inet_addr("127.0.0.1")}, 16) = 0
101 <... openat resumed>) = 25</home/ada/data/log>
101 openat(AT_FDCWD, "/etc/shadow", O_RDWR) = -1 EACCES (Permission denied)
101 openat(AT_FDCWD, "/etc/hosts", O_RDONLY) = 25</etc/hosts>
a line of something else`

describe('E14: addresses and files that a server reaches', () => {
  it("are those of its own processes, without its runner's", () => {
    expect(readStrace(TRACE)).toEqual({
      addresses: ['203.0.113.7:443', '[2001:db8::1]:443', '192.0.2.53:53 (name lookup)'],
      written: ['/home/ada/data/state.json', '/home/ada/data/log'],
    })
  })
})
