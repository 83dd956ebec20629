import { defineTexts } from '../../../kit/text/define.ts';

export const macFileTexts = defineTexts({
  'macFile.upload': {
    en_US: 'Upload MAC files',
    zh_CN: '上传 MAC 文件',
    ko: 'MAC 파일 업로드',
    pt_BR: 'Enviar arquivos MAC',
  },
  'macFile.about': {
    en_US:
      'One text file for each device, named by its MAC, such as 0c383e112233.txt. Its settings replace those of the device’s own template.',
    zh_CN: '每台设备一个文本文件，以其 MAC 命名，例如 0c383e112233.txt。其中的设置将替换该设备自身模板的设置。',
    ko: '장치마다 텍스트 파일 하나를 MAC 이름으로 준비하세요. 예: 0c383e112233.txt. 파일의 설정이 장치 자체 템플릿의 설정을 대체합니다.',
    pt_BR:
      'Um arquivo de texto por dispositivo, com o MAC como nome, por exemplo 0c383e112233.txt. Seus ajustes substituem os do modelo próprio do dispositivo.',
  },
  'macFile.example': {
    en_US: 'Save an example',
    zh_CN: '保存示例文件',
    ko: '예시 파일 저장',
    pt_BR: 'Salvar um exemplo',
  },
  'macFile.choose': {
    en_US: 'Choose files',
    zh_CN: '选择文件',
    ko: '파일 선택',
    pt_BR: 'Escolher arquivos',
  },
  'macFile.chosen': {
    en_US: { one: '{{number}} file chosen', other: '{{number}} files chosen' },
    zh_CN: '已选择 {{number}} 个文件',
    ko: '파일 {{number}}개 선택됨',
    pt_BR: {
      one: '{{number}} arquivo escolhido',
      many: '{{number}} de arquivos escolhidos',
      other: '{{number}} arquivos escolhidos',
    },
  },
  'macFile.tooMany': {
    en_US: 'At most {{most}} files can be uploaded at once; {{number}} were chosen.',
    zh_CN: '一次最多上传 {{most}} 个文件，已选择 {{number}} 个。',
    ko: '한 번에 파일을 최대 {{most}}개까지 업로드할 수 있습니다. {{number}}개를 선택했습니다.',
    pt_BR: 'É possível enviar no máximo {{most}} arquivos de uma vez; foram escolhidos {{number}}.',
  },
  'macFile.accepted': {
    en_US: { one: '{{number}} file accepted', other: '{{number}} files accepted' },
    zh_CN: '已接受 {{number}} 个文件',
    ko: '파일 {{number}}개 적용됨',
    pt_BR: {
      one: '{{number}} arquivo aceito',
      many: '{{number}} de arquivos aceitos',
      other: '{{number}} arquivos aceitos',
    },
  },
  'macFile.refused': {
    en_US: { one: '{{number}} file refused', other: '{{number}} files refused' },
    zh_CN: '已拒绝 {{number}} 个文件',
    ko: '파일 {{number}}개 거부됨',
    pt_BR: {
      one: '{{number}} arquivo recusado',
      many: '{{number}} de arquivos recusados',
      other: '{{number}} arquivos recusados',
    },
  },
  'macFile.results': { en_US: 'Files', zh_CN: '文件', ko: '파일', pt_BR: 'Arquivos' },
  'macFile.file': { en_US: 'File', zh_CN: '文件', ko: '파일', pt_BR: 'Arquivo' },
  'macFile.device': { en_US: 'Device', zh_CN: '设备', ko: '장치', pt_BR: 'Dispositivo' },
  'macFile.result': { en_US: 'Result', zh_CN: '结果', ko: '결과', pt_BR: 'Resultado' },
  'macFile.same': {
    en_US: 'Already has these settings',
    zh_CN: '设置已相同',
    ko: '이미 같은 설정임',
    pt_BR: 'Já tem estes ajustes',
  },
  'macFile.long': {
    en_US: 'The file is longer than {{most}} characters.',
    zh_CN: '文件超过 {{most}} 个字符。',
    ko: '파일이 {{most}}자보다 깁니다.',
    pt_BR: 'O arquivo tem mais de {{most}} caracteres.',
  },
  'macFile.unread': {
    en_US: 'The file can’t be read.',
    zh_CN: '无法读取该文件。',
    ko: '파일을 읽을 수 없습니다.',
    pt_BR: 'Não é possível ler o arquivo.',
  },
  'audit.configTemplate.macFile': {
    en_US: 'Upload MAC files',
    zh_CN: '上传 MAC 文件',
    ko: 'MAC 파일 업로드',
    pt_BR: 'Enviar arquivos MAC',
  },
});
