// The package's own declarations do not resolve under "module": "nodenext".
declare module 'media-captions' {
  export interface VTTCue {
    /** In seconds. */
    startTime: number;
    /** In seconds. */
    endTime: number;
    text: string;
  }

  export function parseText(
    text: string,
    options: { type: 'srt' | 'vtt' },
  ): Promise<{ cues: VTTCue[] }>;
}
