import { defineTexts } from '../../../kit/text/define.ts';

export const storageTexts = defineTexts({
  'storage.meter': { en_US: 'Storage', zh_CN: '存储空间', ko: '저장 공간', pt_BR: 'Armazenamento' },
  'storage.used': {
    en_US: '{{used}} of {{quota}} used',
    zh_CN: '已使用 {{used}}，共 {{quota}}',
    ko: '{{quota}} 중 {{used}} 사용 중',
    pt_BR: '{{used}} de {{quota}} em uso',
  },
  'storage.bandwidth': {
    en_US: 'Download limit: {{mbit}} Mbit/s for the whole installation',
    zh_CN: '下载带宽上限：整个系统 {{mbit}} Mbit/s',
    ko: '다운로드 한도: 시스템 전체 {{mbit}} Mbit/s',
    pt_BR: 'Limite de download: {{mbit}} Mbit/s em toda a instalação',
  },
  'storage.low': {
    en_US: 'Storage is low. Delete files you don’t need.',
    zh_CN: '存储空间不足，请删除不需要的文件。',
    ko: '저장 공간이 부족합니다. 필요 없는 파일을 삭제하세요.',
    pt_BR: 'Pouco armazenamento livre. Exclua arquivos desnecessários.',
  },
  'storage.full': {
    en_US: 'Storage is full. Delete files you don’t need to upload new ones.',
    zh_CN: '存储空间已满。如需上传，请先删除不需要的文件。',
    ko: '저장 공간이 가득 찼습니다. 새 파일을 올리려면 필요 없는 파일을 삭제하세요.',
    pt_BR: 'Armazenamento cheio. Para enviar novos arquivos, exclua os desnecessários.',
  },
});
