/**
 * Devices in a separate process, so that the service is measured alone. Each loads its file by its link, stops reading
 * after the first bytes, resumes when its connection breaks, and compares the checksum.
 */
import { createHash } from 'node:crypto';
import { connect } from 'node:net';

export interface Loading {
  socketPath: string;
  /** Link and expected checksum of each device. */
  links: { path: string; sha256: string }[];
  size: number;
}
export interface Loaded {
  /** Status of the first response, and of the resumed one. */
  first: string;
  next: string;
  /** Bytes of the first response. */
  had: number;
  isWhole: boolean;
}

/** Limit of the socket's accept queue. */
const openingAtOnce = 100;

function devices({ socketPath, links, size }: Loading): { go(): void } {
  const loaded: Loaded[] = links.map(() => ({ first: '', next: '', had: 0, isWhole: false }));
  const paused: (() => void)[] = [];
  let left = links.length;
  let begun = 0;
  let going = false;

  const begin = (i: number): void => {
    if (i >= links.length) return;
    const { path, sha256 } = links[i]!;
    const sum = createHash('sha256');
    const one = loaded[i]!;
    let has = 0;
    let etag = '';
    const took = (bytes: Buffer): void => {
      sum.update(bytes);
      has += bytes.length;
    };
    const over = (): void => {
      one.isWhole = has === size && sum.digest('hex') === sha256;
      if (--left === 0) process.send!({ loaded });
    };
    const ask = (headers: string, answered: (status: string, pause: () => void) => void, closed: () => void): void => {
      const socket = connect(socketPath);
      socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${headers}\r\n`);
      let head = '';
      socket
        .on('data', (bytes: Buffer) => {
          if (head.includes('\r\n\r\n')) return took(bytes);
          head += bytes.toString('latin1');
          const end = head.indexOf('\r\n\r\n');
          if (end < 0) return undefined;
          const status = head.slice(9, 12);
          etag = /^etag: (.+)\r$/im.exec(head)?.[1] ?? '';
          if (status.startsWith('2')) took(Buffer.from(head.slice(end + 4), 'latin1'));
          return answered(status, () => {
            socket.pause();
            paused.push(() => socket.resume());
          });
        })
        .on('error', () => undefined)
        .once('close', closed);
    };
    const goOn = (tries: number): void => {
      if (has === size || !one.first.startsWith('2')) return over();
      ask(
        `range: bytes=${has}-\r\nif-range: ${etag}\r\n`,
        (status) => {
          one.next = status;
        },
        () => (one.next === '' && tries > 0 ? void setTimeout(() => goOn(tries - 1), 200) : over()),
      );
    };
    ask(
      '',
      (status, pause) => {
        one.first = status;
        if (!going) pause();
        if (++begun === links.length) process.send!('begun');
        begin(i + openingAtOnce);
      },
      () => {
        one.had = has;
        goOn(100);
      },
    );
  };
  for (let i = 0; i < openingAtOnce; i++) begin(i);
  return {
    go() {
      going = true;
      for (const resume of paused.splice(0)) resume();
    },
  };
}

let all: ReturnType<typeof devices> | undefined;
process.on('message', (message: Loading | 'go') => {
  if (message === 'go') all?.go();
  else all = devices(message);
});
