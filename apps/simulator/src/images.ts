import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import type { DeltaBase, LoadFile, Sink } from '@carillon/device-sdk';

/** Larger images are not stored, because a device has no room for them beside the one that it runs. */
const mostBytes = 268_435_456;
const nowhere: Sink = { begin: () => undefined, write: () => undefined };

/**
 * The images that simulated devices run, by SHA-256: each is on the disk once, however many devices run it. The image
 * that a device was sold with is not stored, nor is one that is too large.
 */
export class Images {
  private readonly folder: string;
  private readonly writing = new Set<string>();

  /** Deletes the images that no device runs any more. */
  constructor(stateDir: string, run: ReadonlySet<string>) {
    this.folder = path.join(stateDir, 'images');
    for (const name of existsSync(this.folder) ? readdirSync(this.folder) : [])
      if (!run.has(name)) rmSync(path.join(this.folder, name));
  }

  has(sha256: string): boolean {
    return existsSync(this.placeOf(sha256));
  }

  private placeOf(sha256: string): string {
    return path.join(this.folder, sha256.toLowerCase());
  }

  /**
   * Runs `load` to load the file, and stores it when `load` reports no fault; the bytes of a stored image are dropped.
   */
  async keep<Wrong>({ size, sha256 }: Omit<LoadFile, 'url'>, load: (sink: Sink) => Promise<Wrong>): Promise<Wrong> {
    const place = this.placeOf(sha256);
    if (size > mostBytes || this.writing.has(place) || existsSync(place)) return load(nowhere);
    this.writing.add(place);
    mkdirSync(this.folder, { recursive: true });
    const part = `${place}.part`;
    let file: number | undefined;
    const close = () => {
      if (file !== undefined) closeSync(file);
      file = undefined;
    };
    try {
      const wrong = await load({
        begin: () => {
          close();
          file = openSync(part, 'w');
        },
        write: (bytes) => void writeSync(file!, bytes),
      });
      close();
      if (wrong === null) renameSync(part, place);
      return wrong;
    } finally {
      close();
      rmSync(part, { force: true });
      this.writing.delete(place);
    }
  }

  /** Lets `apply` read a stored image. */
  async using<T>(sha256: string, apply: (base: DeltaBase) => Promise<T>): Promise<T> {
    const place = this.placeOf(sha256);
    const file = openSync(place, 'r');
    try {
      return await apply({
        size: statSync(place).size,
        sha256,
        read: (into, at) => {
          if (readSync(file, into, 0, into.length, at) < into.length)
            throw new Error('an image is shorter than it was');
        },
      });
    } finally {
      closeSync(file);
    }
  }
}
