// Pictures that someone else made: PNG, JPEG, or an array of pixels.
#pragma once

#include "core/image.hpp"
#include "io/stored_tensor.hpp"

namespace attnlab {

/// `words` names a PNG or a JPEG, known by its first bytes, or FILE[:TENSOR] with an array (rows, columns,
/// 3), (rows, columns) or (3, rows, columns) of whole numbers from 0 to 255 or of numbers from 0 to 1. What
/// is transparent stands on white; how a camera was held (EXIF) turns no pixel. Throws Error (failed)
/// naming the file, what was found and what is needed.
Image read_image(const std::string& words);

/// The same of a PNG or JPEG at hand, and of an array; `file` is for the messages.
Image image_in(const SharedBytes& bytes, const std::string& file);
Image image_in(const StoredTensor& tensor, const std::string& file);

}  // namespace attnlab
