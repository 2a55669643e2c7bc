import { IconPhotoOff } from '@tabler/icons-react'
import { useState } from 'react'
import { bytesText } from '#web/kit/bytes.ts'
import { Card } from '#web/kit/Card.tsx'
import { Empty } from '#web/kit/Empty.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { FileFrame } from '../FileFrame.tsx'
import { nameOf } from '../paths.ts'
import classes from './ImagePreview.module.css'
import { type LoadedImage, useImage } from './use-image.ts'

const NotShown = () => (
  <Card flush>
    <Empty icon={IconPhotoOff} title="This image can't be shown here">
      It is too large, damaged or not an image. Download it instead.
    </Empty>
  </Card>
)

const Picture = ({ name, image }: { name: string; image: LoadedImage }) => {
  const [isBroken, setBroken] = useState(false)
  const { address, type, width, height, sizeBytes } = image
  if (isBroken) return <NotShown />
  return (
    <figure className={classes.figure}>
      <div className={classes.frame}>
        <img
          src={address}
          alt={name}
          className={classes.image}
          {...{ width, height }}
          onError={() => setBroken(true)}
        />
      </div>
      <figcaption className={classes.facts}>
        {`${width} × ${height} pixels, ${type.slice('image/'.length).toUpperCase()}, ${bytesText(sizeBytes)}`}
      </figcaption>
    </figure>
  )
}

/** An image of a site, only looked at. */
export const ImagePreview = ({ slug, path }: { slug: string; path: string }) => {
  const query = useImage(slug, path)
  return (
    <FileFrame {...{ slug, path }}>
      <Loaded query={query} skeleton={<Skeleton height="24rem" />}>
        {image => (image === null ? <NotShown /> : <Picture name={nameOf(path)} image={image} />)}
      </Loaded>
    </FileFrame>
  )
}
