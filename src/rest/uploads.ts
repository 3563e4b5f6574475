import { invalidInput } from '../core/errors.ts';
import type { MultipartForm } from '../http/read-multipart.ts';
import type { Handler } from '../http/route.ts';
import { toNumber } from './files.ts';
import { namedDataset } from './named-dataset.ts';
import { presentFile } from './present.ts';

/** POST /v1/files/upload */
export const uploadFiles: Handler = async (context) => {
  const { useCases, call, request, idempotencyKey, receiveUpload } = context;
  const named = namedDataset(context);
  const form = await receiveUpload(request, call, { datasetId: named, idempotencyKey });
  try {
    const stray = form.files.find(({ field }) => field !== 'file');
    if (stray) {
      invalidInput(`files go in the field file, not ${stray.field}`);
    }
    if (form.fields.get('file')) {
      invalidInput('file must be a file, not text; with curl: -F file=@name');
    }
    rejectRepeated(form);
    const onDuplicate = form.fields.get('onDuplicate');
    const uploaded = await useCases.uploadFiles(call, {
      datasetId: form.fields.get('datasetId') || named,
      idempotencyKey,
      files: form.files.map(({ file }) => file),
      urls: parseUrls(form.lists.get('urls')),
      metadata: parseMetadata(form.fields.get('metadata')),
      chunkSize: toNumber(form.fields.get('chunkSize')),
      chunkOverlap: toNumber(form.fields.get('chunkOverlap')),
      onDuplicate,
    });
    const { files, skipped, replaced, billed } = uploaded;
    return Response.json({
      success: true,
      message: `${files.length} file${files.length === 1 ? '' : 's'} uploaded`,
      files: files.map(presentFile),
      ...(onDuplicate && {
        skipped: skipped.map(presentFile),
        replaced: replaced.map(presentFile),
      }),
      billed: { ...billed, uploadUnits: Number(billed.uploadUnits) },
    });
  } finally {
    await form.discard();
  }
};

/** If a client repeats a field, all of its values count. */
function rejectRepeated({ lists }: MultipartForm): void {
  for (const [name, values] of lists) {
    if (name === 'urls' || new Set(values.filter(Boolean)).size <= 1) continue;
    invalidInput(`${name} must be given once`);
  }
}

/** Each field is a URL, or a JSON list of them. An empty one comes from an empty input. */
function parseUrls(fields: string[] = []): unknown[] {
  return fields
    .map((text) => text.trim())
    .filter(Boolean)
    .flatMap((text): unknown => {
      try {
        return text.startsWith('[') ? JSON.parse(text) : text;
      } catch {
        return invalidInput('urls must be URLs, or a JSON list of them');
      }
    });
}

function parseMetadata(text: string | undefined): unknown {
  if (!text) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return invalidInput('metadata must be a JSON object');
  }
}
